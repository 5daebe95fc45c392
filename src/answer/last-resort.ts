import { problemBody, problemType } from '../base/problem.ts';
import { toWire } from '../base/wire-text.ts';
import type { Reply } from './call.ts';
import { allowsOtherOrigins, corsHeaders } from './cors.ts';
import type { CallContext } from './call-context.ts';
import { noInjection } from './injection.ts';
import { appendToJournal } from './journal-entry.ts';
import { Refusal } from './refusal.ts';
import { respond } from './respond.ts';
import { notify, type Witness } from './witness.ts';

/**
 * Returns a reply with status 500 if the sandbox itself fails, appends a journal entry and logs the stack
 * trace. Each step runs even if another fails, so that no call can end the process.
 */
export function lastResort(
  context: CallContext,
  error: unknown,
  { started, witness }: { started: number; witness: Witness },
): Reply {
  const message = `The sandbox failed to process this call. This is a bug in the sandbox. Report it with the request id ${context.requestId}.`;
  const answered = new Refusal('internal-error', 500, message);
  let reply = plainReply(context, message);
  try {
    reply = respond(context, answered, [], 0);
    notify(
      witness,
      context,
      appendToJournal(context, { answered, ran: answered, injection: noInjection, started }, reply),
      error,
    );
  } catch (failure) {
    witness.defect(error, context.requestId);
    witness.defect(failure, context.requestId);
  }
  return reply;
}

function plainReply(context: CallContext, detail: string): Reply {
  const { requestId, now } = context;
  const body = toWire(problemBody({ title: 'Internal error', status: 500, detail }));
  return {
    status: 500,
    headers: [
      'Sandbox-Request-Id',
      requestId,
      'Content-Type',
      problemType,
      ...(allowsOtherOrigins(context) ? corsHeaders : []),
    ],
    body,
    at: now,
  };
}
