import { parseList, Token } from 'structured-headers';
import { faultNamed, faultNames } from './index.ts';
import { prepareFault, problemSentence, tooMany, type PreparedFault } from './prepare.ts';

const example =
  'Example: http-error; status=503; retry-after=2. Separate several faults with commas. phase=after lets the operation take effect first.';

/**
 * Returns the faults in the header `Sandbox-Fault`, a structured field (RFC 9651) with at most `maxFaults`
 * faults; or an error message.
 */
export function readHeader(
  header: string,
  maxFaults: number,
): readonly PreparedFault[] | { readonly wrong: string } {
  const members = parsed(header);
  if ('wrong' in members) return members;
  if (members.length === 0) return { wrong: `is empty. ${example}` };
  if (members.length > maxFaults) return { wrong: `has ${members.length} faults. ${tooMany(maxFaults)}` };
  const prepared = members.map(({ name, parameters: { phase, ...parameters } }) =>
    prepareFault({ fault: name, parameters, phase }),
  );
  const problems = prepared.flatMap((one) => ('act' in one ? [] : one.map(problemSentence)));
  if (problems.length > 0) return { wrong: `is invalid. ${problems.join(' ')}` };
  return prepared.flatMap((one) => ('act' in one ? [one] : []));
}

type Parsed = readonly { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> }[];

function parsed(header: string): Parsed | { readonly wrong: string } {
  try {
    return parseList(header).map(([name, parameters]) => ({
      name: name instanceof Token ? name.toString() : header,
      parameters: Object.fromEntries(
        [...parameters].map(([key, value]) => [key, value instanceof Token ? value.toString() : value]),
      ),
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('Parse error: ', '') : String(error);
    const advice =
      'Quote text that contains anything but letters and digits ("…"). Write names in lowercase.';
    return { wrong: `cannot be read: ${reason}. ${example} ${advice}${parametersOf(header)}` };
  }
}

/** Returns a sentence with the parameters of the fault at the start of a header. */
function parametersOf(header: string): string {
  const fault = faultNamed(/^[a-z-]+/.exec(header)?.[0] ?? '');
  if (fault === undefined) return ` The faults are ${faultNames.join(', ')}.`;
  const names = Object.keys(fault.parameters);
  return names.length === 0
    ? ` ${fault.name} has no parameters.`
    : ` The parameters of ${fault.name} are ${names.join(', ')}.`;
}
