import {
  bodyText,
  demoKey,
  throttledKey,
  type ContractExamples,
  type Exchange,
  type Exemplified,
} from './contract-examples.ts';

/**
 * The examples of the contract as a `.http` file, as REST Client of VS Code and the IDEs of JetBrains read
 * it.
 */
export function httpFile(contract: ContractExamples): string {
  const { title, baseUrl, operations } = contract;
  const head = [
    `# ${title}: every example of the contract, with the responses of a new sandbox.`,
    '# Generated from openapi/learning-platform.yaml. Open it in VS Code with the extension REST Client, or in a JetBrains IDE, and send one request after another.',
    '',
    `@baseUrl = ${baseUrl}`,
    '# The key of a school: sbx_<sandbox>_<school>. Another <sandbox> is a new sandbox.',
    `@apiKey = ${demoKey}`,
    '# For the requests that exceed a rate limit: a separate sandbox.',
    `@throttledApiKey = ${throttledKey}`,
  ];
  const requests = operations.flatMap((operation) =>
    operation.exchanges.map((exchange) => request(operation, exchange, contract.header)),
  );
  return `${[head.join('\n'), ...requests].join('\n\n')}\n`;
}

function request(operation: Exemplified, exchange: Exchange, header: string): string {
  const { callsBefore, status, response } = exchange;
  const outcomes = response.map(({ output }) => output.status).join(', ');
  const after =
    callsBefore === 0
      ? ''
      : ` after ${callsBefore} calls${operation.limit === null ? '' : ` within ${operation.limit.windowSeconds} s`}`;
  return [
    `### ${operation.summary}: ${exchange.summary}`,
    `# @name ${operation.operationId}_${exchange.name}`,
    `# Response${after}: HTTP ${status}, ${outcomes}`,
    `POST {{baseUrl}}${operation.path}`,
    'Content-Type: application/json',
    `${header}: {{${callsBefore === 0 ? 'apiKey' : 'throttledApiKey'}}}`,
    '',
    bodyText(exchange.request),
  ].join('\n');
}
