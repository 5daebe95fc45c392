import { isObject } from '../base/is-object.ts';
import { resultSchemas } from '../contract/generated/result-schemas.js';
import type { Schema } from '../contract/openapi.ts';
import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault, type Fault, type Room } from './fault.ts';
import type { Given, Parameters } from './parameter.ts';

/** Changes one part of a result, whose own parts have been changed already. */
type Reshape = (part: unknown, schema: Schema) => unknown;

interface Definition<N extends string, P extends Parameters> {
  readonly name: N;
  readonly summary: string;
  readonly parameters: P;
  readonly reshape: (given: Given<P>, room: Room) => Reshape;
}

/** A fault that gives results another shape, along the contract's schemas; outputs that are errors stay as they are. */
export function shapeFault<const N extends string, P extends Parameters>(definition: Definition<N, P>): Fault & { readonly name: N } {
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
      edit: (operation) =>
        function* (members, hit, room) {
          const change = within(room, reshape(given, room));
          const edited: unknown[] = [];
          for (const [number, member] of members.entries()) {
            edited.push(hit.has(number) ? reshaped(member, resultSchemas[operation], change) : member);
            yield;
          }
          return edited;
        },
    }),
  });
}

function reshaped(member: unknown, schema: Schema, change: Reshape): unknown {
  const output = isObject(member) ? member['output'] : undefined;
  if (!isObject(output) || output['status'] !== 'ok') return member;
  return { output: { ...output, data: along(schema, output['data'], change) } };
}

/** The same change, as long as there is room for what it adds. */
function within(room: Room, change: Reshape): Reshape {
  return (part, schema) => {
    const changed = change(part, schema);
    if (changed === part) return part;
    const added = typeof changed === 'string' ? changed.length : perObject;
    if (added > room.left) return part;
    room.left -= added;
    return changed;
  };
}

/** About what a fault adds to an object, in characters. */
const perObject = 200;

/** Walks a value along its schema, from the inside out. */
function along(schema: Schema, value: unknown, change: Reshape): unknown {
  const { items, properties = {} } = schema;
  if (Array.isArray(value)) return change(items === undefined ? value : value.map((member) => along(items, member, change)), schema);
  if (!isObject(value)) return change(value, schema);
  const parts = Object.entries(value).map(([name, part]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, known === undefined ? part : along(known, part, change)];
  });
  return change(Object.fromEntries(parts), schema);
}

/** Changes text that people read, as the contract marks it. `longest` is the most that may come of it. */
export function prose(change: (text: string, longest: number) => string): Reshape {
  return (part, schema) =>
    typeof part === 'string' && schema['x-prose'] === true ? change(part, Number(schema['maxLength'] ?? Infinity)) : part;
}
