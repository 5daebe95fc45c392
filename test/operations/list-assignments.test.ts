import { describe, expect, it } from 'vitest';
import { products } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world } from '../support/world.ts';
import { expectUnknown, missingId } from './unknown-record.ts';

const operation = 'list-assignments';

function of(digitalProductId: string): object {
  return { courseIdentifier: { type: 'product-id', digitalProductId } };
}

describe('list-assignments', () => {
  it.each([
    ['riverside', products.python, 'Practical Programming with Python', 4],
    ['hillcrest', products.hillcrest, 'Web Design from First Principles', 3],
    ['riverside', products.withoutAssignments, 'Riverside Evening Talks', 0],
  ])(
    "lists a product's assignments to %s as the state has them",
    async (school, productId, productTitle, count) => {
      const { call, sandbox } = await world();
      const assignments = (await sandbox.state.list('assignments'))
        .filter((assignment) => assignment.productId === productId)
        .map(({ id, assignmentTitle }) => ({ assignmentId: id, assignmentTitle }));
      expect(resultOf(await call(operation, of(productId), school))).toEqual({
        productId,
        productTitle,
        assignments,
      });
      expect(assignments).toHaveLength(count);
    },
  );

  it('takes the type of the identifier for product-id where none is sent', async () => {
    const { call } = await world();
    const typed = resultOf(await call(operation, of(products.python)));
    expect(
      resultOf(await call(operation, { courseIdentifier: { digitalProductId: products.python } })),
    ).toEqual(typed);
  });

  it('refuses an identifier of another type, even with a product that exists', async () => {
    const { call } = await world();
    const courseIdentifier = { type: 'course-slug', digitalProductId: products.python };
    expect(failureOf(await call(operation, { courseIdentifier }))).toBe(
      '/data/0/data/courseIdentifier/type must be "product-id", but is "course-slug".',
    );
  });

  it("cannot tell another school's product from one that does not exist", async () => {
    await expectUnknown(await world(), products.hillcrest, { operation, parameters: of, what: 'product' });
  });

  it('answers a batch element by element', async () => {
    const { batch } = await world();
    const outputs = outputsOf(
      await batch(operation, [
        of(missingId),
        of(products.python),
        { courseIdentifier: { type: 'course-slug', digitalProductId: products.python } },
        of(products.withoutAssignments),
      ]),
    );
    expect(outputs).toMatchObject([
      {
        status: 'error',
        errorMessage: `/data/0/data/courseIdentifier/digitalProductId: The school has no product with the identifier "${missingId}".`,
      },
      { status: 'ok', data: { productId: products.python } },
      {
        status: 'error',
        errorMessage: '/data/2/data/courseIdentifier/type must be "product-id", but is "course-slug".',
      },
      { status: 'ok', data: { productId: products.withoutAssignments, assignments: [] } },
    ]);
  });

  it.each([
    [{}, '/data/0/data/courseIdentifier is required, but missing.'],
    [
      { courseIdentifier: products.python },
      '/data/0/data/courseIdentifier must be an object, but is the string',
    ],
    [
      { courseIdentifier: { type: 'product-id' } },
      '/data/0/data/courseIdentifier/digitalProductId is required, but missing.',
    ],
    [
      { courseIdentifier: { type: 'product-id', digitalProductID: products.python } },
      'You sent "digitalProductID": did you mean "digitalProductId"?',
    ],
    [
      { courseIdentifier: { digitalProductId: null } },
      '/data/0/data/courseIdentifier/digitalProductId must be a string, but is null.',
    ],
  ])('refuses %j with a pointer to what is wrong', async (parameters, message) => {
    const { call } = await world();
    expect(failureOf(await call(operation, parameters))).toContain(message);
  });
});
