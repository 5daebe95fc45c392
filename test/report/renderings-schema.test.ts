import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAjv } from '../../src/contract/compile.ts';
import { renderings } from '../../src/report/render/renderings.ts';
import { isObject } from '../../src/base/is-object.ts';
import { sloppyClient } from '../support/sloppy-client.ts';
import { world, type World } from '../support/world.ts';

const file = new URL('../../openapi/report.schema.json', import.meta.url);
const ajv = createAjv();

// Generated, so its form is known.
const fits = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);

async function served({ url, sandbox }: World): Promise<unknown> {
  return (await fetch(`${url}/control/sandboxes/${sandbox.id}/report.json`)).json();
}

describe('the schema of reports', () => {
  let rich: unknown;

  beforeAll(async () => {
    rich = await served(await sloppyClient());
  });

  it('is kept by the report on a client that did much', () => {
    expect(rich).toMatchObject({ violations: expect.arrayContaining([expect.anything()]) as unknown });
    fits(rich);
    expect(ajv.errorsText(fits.errors)).toBe('No errors');
  });

  it('is kept by the report on a client that did nothing', async () => {
    fits(await served(await world()));
    expect(ajv.errorsText(fits.errors)).toBe('No errors');
  });

  it('is broken by a report with a part too many, or too few', () => {
    if (!isObject(rich)) throw new Error('A report is an object.');
    const { conduct: _conduct, ...less } = rich;
    expect(fits(less)).toBe(false);
    expect(fits({ ...rich, more: 1 })).toBe(false);
  });

  it('is what the JSON that is written to a file keeps too', async () => {
    const { sandbox } = await sloppyClient();
    fits(JSON.parse(renderings['json']?.render(await sandbox.report()) ?? ''));
    expect(ajv.errorsText(fits.errors)).toBe('No errors');
  });
});
