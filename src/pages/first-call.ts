/** The first call for a newcomer: a command that can be pasted, and its response. */
export interface FirstCall {
  readonly command: string;
  readonly answer: string;
}

/** Returns the call that the start page shows. Without the demo data it lists instructors, which works for every school. */
export function firstCall(origin: string, key: string, isDemo: boolean): FirstCall {
  return isDemo
    ? { command: commandOf(origin, key, 'list-assignments', assignmentsOf('f68b14464867fc055551e6ac')), answer: demoAnswer }
    : { command: commandOf(origin, key, 'get-all-instructors', {}), answer: '[{"output":{"status":"ok","data":{"instructors":[ … ]}}}]' };
}

function assignmentsOf(digitalProductId: string): object {
  return { courseIdentifier: { type: 'product-id', digitalProductId } };
}

function commandOf(origin: string, key: string, operation: string, parameters: object): string {
  return `curl ${origin}/public/${operation} \\
  -H 'SERVICE-API-KEY: ${key}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ data: [{ data: parameters }] })}'`;
}

/** The response with unchanged demo data. */
const demoAnswer = `[{"output":{"status":"ok","data":{
  "productId":"f68b14464867fc055551e6ac",
  "productTitle":"Foundations of Biology",
  "assignments":[
    {"assignmentId":"1df9594bdbc7bf45f4762c28","assignmentTitle":"Observe and Draw Onion Cells"},
    {"assignmentId":"db293522b44cfdfabbccb546","assignmentTitle":"Measure the Breath of Yeast"},
    {"assignmentId":"93de7fab5d19792f19793313","assignmentTitle":"Trace a Trait Through Three Generations"}
  ]}}}]`;
