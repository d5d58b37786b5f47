// Types as WIT text. Names of records, variants, enums, flags and resources are asked of the scope they are printed in;
// everything else is written out. Names come from binaries: where one is a keyword of WIT it is escaped.

import { cleanText } from './text.ts';
import type { ResourceType, ValType } from './type.ts';

export interface TypeNamer {
  /** The name of a record, variant, enum or flags in this scope. */
  typeName(type: ValType): string;
  resourceName(resource: ResourceType): string;
  /** The name given to a type that could be written out as well, such as `type points = list<point>`. */
  aliasName(type: ValType): string | undefined;
  /** Called for every type written; throws when there are too many. */
  spend(): void;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'as async bool borrow char constructor enum error-context export f32 f64 flags from func future import include ' +
    'interface list map option own package record resource result s16 s32 s64 s8 static stream string tuple type u16 ' +
    'u32 u64 u8 use variant with world'
  ).split(' '),
);

/** Whether a name can stand in WIT at all; those of core modules need not. */
export function isLabel(name: string): boolean {
  return name.length <= 1024 && /^[A-Za-z][0-9A-Za-z]*(-[0-9A-Za-z]+)*$/.test(name);
}

export function idText(name: string): string {
  return KEYWORDS.has(name) ? `%${name}` : name;
}

/** A use of a type, as in a parameter. */
export function typeText(type: ValType, namer: TypeNamer): string {
  const alias = namer.aliasName(type);
  return alias === undefined ? writtenOut(type, namer) : idText(alias);
}

function writtenOut(type: ValType, namer: TypeNamer): string {
  namer.spend();
  const text = (inner: ValType): string => typeText(inner, namer);
  switch (type.kind) {
    case 'record':
    case 'variant':
    case 'enum':
    case 'flags':
      return idText(namer.typeName(type));
    case 'list':
      return `list<${text(type.element)}>`;
    case 'fixed-list':
      return `list<${text(type.element)}, ${type.length}>`;
    case 'tuple':
      return `tuple<${type.items.map(text).join(', ')}>`;
    case 'option':
      return `option<${text(type.some)}>`;
    case 'result':
      if (type.err === null) return type.ok === null ? 'result' : `result<${text(type.ok)}>`;
      return `result<${type.ok === null ? '_' : text(type.ok)}, ${text(type.err)}>`;
    case 'map':
      return `map<${text(type.key)}, ${text(type.value)}>`;
    case 'own':
      return idText(namer.resourceName(type.resource));
    case 'borrow':
      return `borrow<${idText(namer.resourceName(type.resource))}>`;
    case 'stream':
    case 'future':
      return type.element === null ? type.kind : `${type.kind}<${text(type.element)}>`;
    default:
      return type.kind;
  }
}

/** The definition of a type under a name; `docs` gives the comment lines of a part. */
export function definitionLines(
  name: string,
  type: ValType,
  namer: TypeNamer,
  docs: (part: string) => readonly string[],
): string[] {
  const block = (parts: readonly { readonly name: string; readonly text: string }[]): string[] => [
    `${type.kind} ${idText(name)} {`,
    ...parts.flatMap((part) => [...docs(part.name), `${idText(part.name)}${part.text},`]).map(indent),
    '}',
  ];
  switch (type.kind) {
    case 'record':
      return block(
        type.fields.map((field) => ({ name: field.name, text: `: ${typeText(field.type, namer)}` })),
      );
    case 'variant':
      return block(
        type.cases.map((each) => ({
          name: each.name,
          text: each.type === null ? '' : `(${typeText(each.type, namer)})`,
        })),
      );
    case 'enum':
    case 'flags':
      return block(type.names.map((each) => ({ name: each, text: '' })));
    default:
      return [`type ${idText(name)} = ${writtenOut(type, namer)};`];
  }
}

export function indent(line: string): string {
  return line === '' ? line : `  ${line}`;
}

/** For what WIT has no text for. */
export function commentText(verb: string, name: string, what: string): string {
  return `// ${verb} ${JSON.stringify(cleanText(name, 200))}: ${what}`;
}

export function docLines(text: string | undefined): string[] {
  return text === undefined ? [] : text.split('\n').map((line) => `/// ${line}`.trimEnd());
}
