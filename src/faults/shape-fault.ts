import type { SlicedWork } from '../base/sliced-work.ts';
import { isObject } from '../base/is-object.ts';
import { resultSchemas } from '../contract/generated/result-schemas.js';
import type { Schema } from '../contract/openapi.ts';
import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault, type Fault, type Room } from './fault.ts';
import type { Given, Parameters } from './parameter.ts';

/** Changes one part of a result after its own parts. */
type Reshape = (part: unknown, schema: Schema) => unknown;

interface Definition<N extends string, P extends Parameters> {
  readonly name: N;
  readonly summary: string;
  readonly parameters: P;
  readonly reshape: (given: Given<P>, room: Room) => Reshape;
}

/** Defines a fault that changes results based on the contract's schemas. It does not change error outputs. */
export function shapeFault<const N extends string, P extends Parameters>(
  definition: Definition<N, P>,
): Fault & { readonly name: N } {
  const { name, summary, parameters, reshape } = definition;
  return defineFault({
    name,
    summary,
    parameters: { ...choice, ...parameters },
    phase: 'after',
    conflict: choiceConflict,
    act: (given) => ({
      kind: 'edit',
      hits: chosenElements(given),
      edit: (operation) => (members, hit, room) =>
        reshapeHit(members, hit, {
          schema: resultSchemas[operation],
          change: limitTo(room, reshape(given, room)),
        }),
    }),
  });
}

function* reshapeHit(
  members: readonly unknown[],
  hit: ReadonlySet<number>,
  { schema, change }: { readonly schema: Schema; readonly change: Reshape },
): SlicedWork<readonly unknown[]> {
  const edited: unknown[] = [];
  for (const [number, member] of members.entries()) {
    edited.push(hit.has(number) ? reshaped(member, schema, change) : member);
    yield;
  }
  return edited;
}

function reshaped(member: unknown, schema: Schema, change: Reshape): unknown {
  const output = isObject(member) ? member['output'] : undefined;
  if (!isObject(output) || output['status'] !== 'ok') return member;
  return { output: { ...output, data: changeParts(schema, output['data'], change) } };
}

/** Skips changes for which there is no room. */
function limitTo(room: Room, change: Reshape): Reshape {
  return (part, schema) => {
    const changed = change(part, schema);
    if (changed === part) return part;
    const added = typeof changed === 'string' ? changed.length : perObject;
    if (added > room.left) return part;
    room.left -= added;
    return changed;
  };
}

/** The approximate number of characters that a fault adds to an object. */
const perObject = 200;

/** Applies the change to a value and its parts, from the inside out. */
function changeParts(schema: Schema, value: unknown, change: Reshape): unknown {
  const { items, properties = {} } = schema;
  if (Array.isArray(value))
    return change(
      items === undefined ? value : value.map((member) => changeParts(items, member, change)),
      schema,
    );
  if (!isObject(value)) return change(value, schema);
  const parts = Object.entries(value).map(([name, part]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, known === undefined ? part : changeParts(known, part, change)];
  });
  return change(Object.fromEntries(parts), schema);
}

/** Changes text for people, which the contract marks with `x-prose`. `maxLength` limits the new text. */
export function prose(change: (text: string, maxLength: number) => string): Reshape {
  return (part, schema) =>
    typeof part === 'string' && schema['x-prose'] === true
      ? change(part, Number(schema['maxLength'] ?? Infinity))
      : part;
}
