import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compare } from '../../src/commands/compare/command.ts';
import type { DifferenceReport } from '../../src/upstream/difference-report/report.ts';
import { temporaryFolder } from '../support/command.ts';
import { invoke } from '../support/invocation.ts';
import * as always200 from '../upstreams/always-200.ts';
import * as firstOnly from '../upstreams/first-only.ts';
import * as gateway from '../upstreams/gateway.ts';
import * as jsonErrors from '../upstreams/json-errors.ts';

const services = { 'json-errors': jsonErrors, 'always-200': always200, gateway, 'first-only': firstOnly };

describe.each(Object.entries(services))('lp-sandbox compare, with the service %s,', (_, service) => {
  it('finds differences, many with an explanation, changes nothing and shows no part of the key', async () => {
    const upstream = await service.start({ port: 0, limitScale: 50 });
    onTestFinished(() => upstream.close());
    const [key = ''] = service.schools[0]?.apiKeys ?? [];
    const folder = temporaryFolder();
    const [known, json, html] = ['known.yaml', 'compare.json', 'compare.html'].map((name) =>
      join(folder, name),
    );
    if (known === undefined || json === undefined || html === undefined) throw new Error('Unreachable.');
    const { 'get-quiz-details': aQuiz = {}, 'update-digital-product-coupon': coupon = {} } = service.samples;
    const quizId = aQuiz['quizId'];
    writeFileSync(known, JSON.stringify({ quizId, coupon }));
    const before = JSON.stringify(upstream.stored(String(coupon['serviceCouponCodeId'])));
    const args = ['--upstream', upstream.url, '--known', known, '--pace', '0', '--no-probes'];
    const { code, said } = invoke(compare, [...args, '--report', json, html], {
      env: { UPSTREAM_API_KEY: key },
    });
    expect(await code).toBe(3);
    const text = readFileSync(json, 'utf8');
    // Cast: the command wrote it.
    const { differences } = JSON.parse(text) as DifferenceReport;
    const explained = differences.filter(({ explanation }) => (explanation?.instead.length ?? 0) > 0);
    // No option explains the further fields and odd types of a service.
    expect(explained.length).toBeGreaterThan(10);
    expect(JSON.stringify(upstream.stored(String(coupon['serviceCouponCodeId'])))).toBe(before);
    const all = `${said().out}${said().err}${text}${readFileSync(html, 'utf8')}`;
    for (let at = 0; at + 5 <= key.length; at += 1) expect(all).not.toContain(key.slice(at, at + 5));
    for (const secret of upstream.planted.filter(({ length }) => length > 12))
      expect(all).not.toContain(secret);
    // It tries many combinations of options, each with all calls.
  }, 150_000);
});
