// The items of one interface, or of a world, as WIT text. Types that another interface introduced first are brought in
// with `use`; the others are defined here. Methods stand inside their resource.

import type { PackageDocs } from './docs.ts';
import { type FuncName, packageOf, parseFuncName, parseInterfaceName } from './name.ts';
import { type Home, type Homes, type Items, typeKey } from './print-homes.ts';
import {
  definitionLines,
  docLines,
  idText,
  indent,
  isLabel,
  type TypeNamer,
  typeText,
} from './print-type.ts';
import type { DefinedType, FuncType, ValType } from './type.ts';

export interface PrintContext {
  readonly homes: Homes;
  readonly docs: PackageDocs | null;
  spend(): void;
}

export interface PrintScope extends TypeNamer {
  /** Text of a function: `func(a: u32) -> string`. */
  funcText(func: FuncType, name: FuncName): string;
  /** Uses and type definitions so far. Call after everything else is printed: printing may add to it. */
  typeLines(): string[];
}

export interface Place {
  /** Only earlier interfaces are used from; worlds and interfaces written inside them come last. */
  readonly order: number;
  /** Package with version, null where no package's names are in scope. */
  readonly packageName: string | null;
  /** Where the docs of its items are, null for the world. */
  readonly docsName: string | null;
}

export function createPrintScope(cx: PrintContext, place: Place, items: Items): PrintScope {
  const { order, packageName, docsName } = place;
  const names = new Map<object, string>();
  const aliases = new Map<ValType, string>();
  const taken = new Set<string>(items.map(([name]) => name));
  const uses = new Map<string, string[]>();
  const definitions: string[][] = [];

  const freeName = (wanted: string): string => {
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
    taken.add(name);
    return name;
  };
  const homeOf = (type: DefinedType, name: string | null): Home | null => {
    const home = cx.homes.find(type, name, packageName);
    return home && home.order < order ? home : null;
  };
  const use = (home: Home, as: string): void => {
    const list = uses.get(home.interfaceName) ?? [];
    list.push(home.name === as ? idText(as) : `${idText(home.name)} as ${idText(as)}`);
    uses.set(home.interfaceName, list);
  };
  /** The name of a type that is mentioned; one without a name here is brought in or defined on the way. */
  const nameOf = (type: DefinedType): string => {
    const key = typeKey(type) ?? type;
    const known = names.get(key);
    if (known !== undefined) return known;
    const home = homeOf(type, null);
    const name = freeName(home?.name ?? 'unnamed');
    names.set(key, name);
    if (home) use(home, name);
    else if (type.kind === 'value') define(name, type.type);
    else defineResource(name);
    return name;
  };

  const scope: PrintScope = {
    spend: cx.spend,
    typeName: (type) => nameOf({ kind: 'value', type }),
    resourceName: (type) => nameOf({ kind: 'resource', type }),
    aliasName: (type) => aliases.get(type),
    funcText: (func, name) => funcText(func, name, scope),
    typeLines: () => [
      ...[...uses].map(([from, list]) => `use ${pathFrom(packageName, from)}.{${list.join(', ')}};`),
      ...definitions.flat(),
    ],
  };
  const define = (name: string, type: ValType): void => {
    const docs = cx.docs?.type(docsName, name);
    const at = definitions.push([]) - 1;
    definitions[at] = [
      ...docLines(docs?.docs),
      ...definitionLines(name, type, scope, (part) => docLines(docs?.items?.get(part))),
    ];
  };
  const defineResource = (name: string): void => {
    const at = definitions.push([]) - 1;
    const members = [...new Map(items)].flatMap(([full, item]) => {
      const parsed = parseFuncName(full);
      if (item.kind !== 'func' || parsed.resource !== name) return [];
      const text = scope.funcText(item.type, parsed);
      return [
        ...docLines(cx.docs?.func(docsName, full)),
        parsed.kind === 'constructor' ? `${text};` : `${idText(parsed.name)}: ${text};`,
      ];
    });
    definitions[at] = [
      ...docLines(cx.docs?.type(docsName, name)?.docs),
      ...(members.length === 0
        ? [`resource ${idText(name)};`]
        : [`resource ${idText(name)} {`, ...members.map(indent), '}']),
    ];
  };

  // All names first, so that definitions find each other in whatever order they come.
  const local = new Map<string, () => void>();
  for (const [name, item] of items) {
    if (item.kind !== 'type' || (item.type.kind !== 'value' && item.type.kind !== 'resource')) continue;
    const { type } = item;
    const key = typeKey(type);
    const known = key && names.get(key);
    if (known === name) continue;
    if (known) {
      local.set(name, () => definitions.push([`type ${idText(name)} = ${idText(known)};`]));
      continue;
    }
    if (key) names.set(key, name);
    else if (type.kind === 'value' && isCompound(type.type)) aliases.set(type.type, name);
    if (local.has(name)) continue; // the other side of an interface that is both imported and exported
    const home = key && homeOf(type, name);
    local.set(name, () => {
      if (home) use(home, name);
      else if (type.kind === 'value') define(name, type.type);
      else defineResource(name);
    });
  }
  for (const run of local.values()) run();
  return scope;
}

/** The lines of an interface's body: uses and types, then functions. */
export function interfaceLines(cx: PrintContext, place: Place, items: Items): string[] {
  const scope = createPrintScope(cx, place, items);
  const funcs = [...new Map(items)].flatMap(([full, item]) => {
    const parsed = parseFuncName(full);
    if (item.kind !== 'func' || parsed.kind !== 'plain') return [];
    const docs = docLines(cx.docs?.func(place.docsName, full));
    return [...docs, `${idText(parsed.name)}: ${scope.funcText(item.type, parsed)};`];
  });
  return [...scope.typeLines(), ...funcs];
}

function funcText(func: FuncType, name: FuncName, scope: TypeNamer): string {
  const given = name.kind === 'method' ? func.params.slice(1) : func.params;
  const params = given
    .map(({ name, type }, i) => `${isLabel(name) ? idText(name) : `p${i}`}: ${typeText(type, scope)}`)
    .join(', ');
  // What an infallible constructor gives is understood.
  const isPlainConstructor = name.kind === 'constructor' && func.result?.kind === 'own';
  const result = func.result && !isPlainConstructor ? ` -> ${typeText(func.result, scope)}` : '';
  if (name.kind === 'constructor') return `constructor(${params})${result}`;
  return `${name.kind === 'static' ? 'static ' : ''}${func.async ? 'async ' : ''}func(${params})${result}`;
}

/** Primitive types are one object each for all who mention them, so a name for one says nothing about a mention. */
function isCompound(type: ValType): boolean {
  return Object.keys(type).length > 1;
}

/** Interfaces of the same package are called by their own name alone. */
function pathFrom(packageName: string | null, interfaceName: string): string {
  const parsed = parseInterfaceName(interfaceName);
  return parsed && packageOf(parsed) === packageName ? idText(parsed.interface) : pathText(interfaceName);
}

/** `a:b/c@1.0.0` as WIT writes it, which is the same unless a part is a keyword. */
export function pathText(name: string): string {
  const [path = '', version] = name.split('@', 2);
  return path.replace(/[^:/]+/g, idText) + (version === undefined ? '' : `@${version}`);
}
