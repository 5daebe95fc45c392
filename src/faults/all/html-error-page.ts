import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';
import { otherBody } from '../reply-parts.ts';

export const htmlErrorPage = defineFault({
  name: 'html-error-page',
  summary: 'An HTML error page, as from a gateway in front of the service, instead of JSON.',
  parameters: { status: wholeNumber('the HTTP status', { from: 400, to: 599, standard: 502 }) },
  phase: 'before',
  act: ({ status }) => ({
    kind: 'replace',
    change: (reply) => otherBody(reply, status, 'text/html; charset=utf-8', page(status)),
  }),
});

function page(status: number): string {
  const title = titles.get(status) ?? 'Error';
  return `<html>\n<head><title>${status} ${title}</title></head>\n<body>\n<center><h1>${status} ${title}</h1></center>\n<hr><center>gateway</center>\n</body>\n</html>\n`;
}

/** The usual titles of gateways. */
const titles: ReadonlyMap<number, string> = new Map([
  [403, 'Forbidden'],
  [413, 'Request Entity Too Large'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Temporarily Unavailable'],
  [504, 'Gateway Time-out'],
]);
