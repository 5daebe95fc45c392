import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/assumptions.ts';
import { keysOf } from '../../src/base/keys.ts';
import { createAjv, parameterSchemas } from '../../src/contract/compile.ts';
import { contract } from '../../src/contract/generated/contract.js';
import { ParameterCheckSource } from '../../src/contract/parameter-checks.ts';
import { writtenVariant, type Variant } from '../../src/contract/variants.ts';

const unknownFields = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`field${index}`, 1]));

/** The variants that differ from the written one in one option. */
const variants = keysOf(writtenVariant).flatMap((name) =>
  Object.keys(assumptions[name].options).map((option): Variant => ({ ...writtenVariant, [name]: option })),
);

describe('the checks of parameters', () => {
  it('have valid schemas under every option, because a running server does not validate them', () => {
    const ajv = createAjv('source');
    for (const variant of variants)
      for (const schema of Object.values(parameterSchemas(contract, variant)))
        expect(ajv.validateSchema(schema)).toBe(true);
    expect(ajv.validateSchema({ type: 'text' })).toBe(false);
  });

  it('explain only the violations that are listed, and count the others', async () => {
    const checks = await new ParameterCheckSource().checksUnder({
      ...writtenVariant,
      unknownFields: 'refuse',
    });
    const found = checks['list-assignments'](unknownFields, '/data/0/data', 'every', 3);
    expect(found.length).toBeGreaterThanOrEqual(10);
    expect(found.filter(({ message }) => message !== '')).toHaveLength(3);
  });
});
