import { parseList, Token } from 'structured-headers';
import { faultNamed, faultNames } from './index.ts';
import { prepareFault, problemSentence, tooMany, type PreparedFault } from './prepare.ts';

const example =
  'Write it as: http-error; status=503; retry-after=2. Several are separated by commas; phase=after lets the operation take effect first.';

/** Reads the header `Sandbox-Fault`: a structured field (RFC 9651), a list of at most `most` faults with their parameters. Or tells what is wrong with it. */
export function readHeader(header: string, most: number): readonly PreparedFault[] | { readonly wrong: string } {
  const members = parsed(header);
  if ('wrong' in members) return members;
  if (members.length === 0) return { wrong: `is empty. ${example}` };
  if (members.length > most) return { wrong: `asks for ${members.length} faults. ${tooMany(most)}` };
  const prepared = members.map(({ name, parameters: { phase, ...parameters } }) => prepareFault({ fault: name, parameters, phase }));
  const problems = prepared.flatMap((one) => ('act' in one ? [] : one.map(problemSentence)));
  if (problems.length > 0) return { wrong: `cannot be followed. ${problems.join(' ')}` };
  return prepared.flatMap((one) => ('act' in one ? [one] : []));
}

type Parsed = readonly { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> }[];

function parsed(header: string): Parsed | { readonly wrong: string } {
  try {
    return parseList(header).map(([name, parameters]) => ({
      name: name instanceof Token ? name.toString() : header,
      parameters: Object.fromEntries([...parameters].map(([key, value]) => [key, value instanceof Token ? value.toString() : value])),
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('Parse error: ', '') : String(error);
    const advice = 'Text with anything but letters and digits stands in "quotes". Names are in small letters.';
    return { wrong: `cannot be read: ${reason}. ${example} ${advice}${parametersOf(header)}` };
  }
}

/** The parameters of the fault that a header seems to begin with. */
function parametersOf(header: string): string {
  const fault = faultNamed(/^[a-z-]+/.exec(header)?.[0] ?? '');
  if (fault === undefined) return ` The faults are ${faultNames.join(', ')}.`;
  const names = Object.keys(fault.parameters);
  return names.length === 0 ? ` ${fault.name} has no parameters.` : ` The parameters of ${fault.name} are ${names.join(', ')}.`;
}
