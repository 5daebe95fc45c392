import { describe, expect, it } from 'vitest';
import { labId } from '../support/demo.ts';
import { world } from '../support/world.ts';

/** An update of a lab that takes effect, and the reply that a fault makes of it. */
async function updatedUnder(unknownId: 'element-error' | 'http-404', fault: string) {
  const { call, sandbox } = await world({ assumptions: { unknownId } });
  const { status } = await call('update-interactive-coding-lab', { labId, labTitle: 'Changed' }).set(
    'Sandbox-Fault',
    fault,
  );
  const [entry] = await sandbox.journal.list();
  const lab = await sandbox.state.get('labs', labId);
  return { status, title: lab?.labTitle, outcomes: entry?.outcomes, outcome: entry?.outcome };
}

describe('a record that is reported as not found after the operation', () => {
  it('has been changed, and the journal says so: the reply is lost, not the change', async () => {
    expect(await updatedUnder('http-404', 'not-found; phase=after')).toEqual({
      status: 404,
      title: 'Changed',
      outcomes: ['ok'],
      outcome: 'fault',
    });
  });

  it('is not changed where the fault comes before', async () => {
    const { status, title } = await updatedUnder('http-404', 'not-found; phase=before');
    expect({ status, isChanged: title === 'Changed' }).toEqual({ status: 404, isChanged: false });
  });

  it('fails as an element where such identifiers do', async () => {
    expect(await updatedUnder('element-error', 'not-found; phase=after')).toMatchObject({
      status: 200,
      title: 'Changed',
    });
  });
});
