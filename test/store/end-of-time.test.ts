import { supertest } from '../support/supertest.ts';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer } from '../../src/index.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { coupon } from '../support/demo.ts';

async function serve(data: string, warnings: string[]): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, data, warn: (message) => warnings.push(message) });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

it.each([
  ['frozen', '9999-12-31T00:00:00Z'],
  ['real', '9999-12-31T23:59:59.999Z'],
] as const)(
  'a %s clock at the end of the year 9999 causes no times that cannot be loaded again',
  { tags: ['slow'] },
  async (mode, now) => {
    const warnings: string[] = [];
    const data = temporaryFolder();
    const server = await serve(data, warnings);
    await supertest(server.url)
      .post('/control/sandboxes')
      .send({ id: 'late', clock: { mode, now } })
      .expect(201);
    const call = (operation: string, parameters: object) =>
      supertest(server.url)
        .post(`/public/${operation}`)
        .set('SERVICE-API-KEY', 'sbx_late_riverside')
        .send({ data: [{ data: parameters }] });
    const updated = await call('update-digital-product-coupon', {
      serviceCouponCodeId: coupon.id,
      serviceDigitalProductId: coupon.productId,
      description: 'late',
    });
    const created = await call('create-instructor-account', {
      instructorEmail: 'late@riverside-academy.example',
      instructorName: 'Late Comer',
    });
    for (const { body } of [updated, created]) expect(body).toMatchObject([{ output: { status: 'ok' } }]);
    const again = await serve(crashCopy(data), warnings);
    const { body } = await supertest(again.url).get('/control/sandboxes/late/state/coupons').expect(200);
    expect(JSON.stringify(body)).toContain('"late"');
    const people = await supertest(again.url).get('/control/sandboxes/late/state/instructors').expect(200);
    expect(JSON.stringify(people.body)).toContain('late@riverside-academy.example');
    expect(warnings).toEqual([]);
  },
);
