import { defineFault } from '../fault.ts';
import { type Parameter } from '../parameter.ts';
import { withHeader } from '../reply-parts.ts';

const contentType: Parameter<string> = {
  help: 'the Content-Type of the response',
  form: 'a media type such as text/html',
  takes: 'text',
  standard: 'text/plain; charset=utf-8',
  fits: (value): value is string =>
    typeof value === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,60}(; ?[\w-]+=[\w-]+)?$/.test(value),
};

export const wrongContentType = defineFault({
  name: 'wrong-content-type',
  summary: 'The response is complete and correct, but its Content-Type is not JSON.',
  parameters: { type: contentType },
  phase: 'after',
  act: ({ type }) => ({ kind: 'change', change: (reply) => withHeader(reply, 'Content-Type', type) }),
});
