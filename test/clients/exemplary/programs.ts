import type { Exemplary } from '../spec.ts';

/** Clients in other languages, as their standard libraries suggest them. */
export const programs: readonly Exemplary[] = [
  {
    name: 'python-urllib',
    is: "Python's urllib, one call after another, a connection for each.",
    run: { file: 'urllib_client.py', args: ['1'] },
  },
  {
    name: 'python-urllib-6',
    is: "Python's urllib in a ThreadPoolExecutor of 6.",
    run: { file: 'urllib_client.py', args: ['6'] },
  },
  {
    name: 'python-http-client',
    is: "Python's http.client with one kept connection.",
    run: { file: 'http_client.py' },
  },
  {
    name: 'python-requests',
    is: "Python's requests with a Session and urllib3's Retry.",
    run: { file: 'requests_client.py', args: ['1'] },
  },
  {
    name: 'python-requests-8',
    is: "Python's requests with a Session for 8 threads and urllib3's Retry.",
    run: { file: 'requests_client.py', args: ['8'] },
  },
  {
    name: 'java-sync',
    is: "Java's HttpClient, one call after another.",
    run: { file: 'PlatformClient.java', args: ['1'] },
  },
  {
    name: 'java-send-async-10',
    is: "Java's HttpClient with 10 calls of sendAsync at a time.",
    run: { file: 'PlatformClient.java', args: ['10'] },
  },
  {
    name: 'go-serial',
    is: "Go's http.Client with a timeout, one call after another.",
    run: { file: 'client.go', args: ['1', 'timeout'] },
  },
  {
    name: 'go-12-goroutines',
    is: "12 goroutines with Go's DefaultClient and a context with a deadline.",
    run: { file: 'client.go', args: ['12', 'default'] },
  },
  {
    name: 'go-12-connections',
    is: '12 goroutines with a Transport that keeps 12 idle connections.',
    run: { file: 'client.go', args: ['12', 'kept'] },
  },
  {
    name: 'curl-sequential',
    is: 'A shell script with curl, one call after another.',
    run: { file: 'curl.sh', args: ['1'] },
  },
  {
    name: 'curl-6',
    is: 'A shell script with 6 curl processes at a time.',
    run: { file: 'curl.sh', args: ['6'] },
  },
];
