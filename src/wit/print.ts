// A component's world as WIT text that WIT tools read again: the world, then the packages whose interfaces it imports
// or exports, as far as the component says what is in them. What WIT has no text for (core modules, components, nested
// packages, resources exported by the world itself) becomes a comment. The length of the text is bounded.

import { WitboxError } from '../core/errors.ts';
import type { PackageDocs } from './docs.ts';
import { packageOf, parseFuncName, parseInterfaceName } from './name.ts';
import { createHomes, type Items } from './print-homes.ts';
import { createPrintScope, interfaceLines, type PrintContext, pathText } from './print-scope.ts';
import { commentText, docLines, idText, indent, isLabel } from './print-type.ts';
import type { ComponentType, ExternType } from './type.ts';

const MAX_TYPES = 100_000;

interface PrintOptions {
  readonly docs?: PackageDocs | null;
  readonly maxTypes?: number;
}

export function printWorld(type: ComponentType, options: PrintOptions = {}): string {
  const interfaces = collectInterfaces(type);
  const maxTypes = options.maxTypes ?? MAX_TYPES;
  let left = maxTypes;
  const cx: PrintContext = {
    homes: createHomes(interfaces),
    docs: options.docs ?? null,
    spend: () => {
      left -= 1;
      if (left < 0) throw new WitboxError('wit-too-large', { limit: maxTypes });
    },
  };
  const packages = new Map<string, string[][]>();
  for (const [order, [name, items]] of [...interfaces].entries()) {
    const parsed = parseInterfaceName(name)!;
    const packageName = packageOf(parsed);
    const bodies = packages.get(packageName) ?? [];
    bodies.push([
      `interface ${idText(parsed.interface)} {`,
      ...interfaceLines(cx, { order, packageName, docsName: name }, items).map(indent),
      '}',
    ]);
    packages.set(packageName, bodies);
  }
  const root = packages.has('root:component') ? 'root:world' : 'root:component';
  return [
    `package ${root};`,
    '',
    'world root {',
    ...worldLines(cx, type).map(indent),
    '}',
    ...[...packages].flatMap(([name, bodies]) => [
      '',
      `package ${pathText(name)} {`,
      ...bodies.flatMap((lines, i) => (i === 0 ? lines : ['', ...lines])).map(indent),
      '}',
    ]),
    '',
  ].join('\n');
}

/** Interfaces by name. One that is both imported and exported is written once, with what either side has of it. */
function collectInterfaces(type: ComponentType): Map<string, Items> {
  const interfaces = new Map<string, Items>();
  for (const [name, item] of [...type.imports, ...type.exports]) {
    if (item.kind !== 'instance' || !parseInterfaceName(name)) continue;
    interfaces.set(name, [...(interfaces.get(name) ?? []), ...item.type.exports]);
  }
  return interfaces;
}

function worldLines(cx: PrintContext, type: ComponentType): string[] {
  // A world defines types once, whether the component imports or exports them.
  const types = [...type.exports, ...type.imports].filter(
    ([name, item]) =>
      item.kind === 'type' || (type.imports.has(name) && parseFuncName(name).resource !== null),
  );
  const scope = createPrintScope(cx, { order: Infinity, packageName: null, docsName: null }, types);
  const lines = (verb: 'import' | 'export', items: ReadonlyMap<string, ExternType>): string[] =>
    [...items].flatMap(([name, item]) => {
      const parsed = parseFuncName(name);
      switch (item.kind) {
        case 'type':
          return [];
        case 'func':
          if (parsed.resource !== null && verb === 'import') return [];
          if (!isLabel(parsed.name) || parsed.resource !== null) return [commentText(verb, name, 'function')];
          return [
            ...docLines(cx.docs?.func(null, name)),
            `${verb} ${idText(parsed.name)}: ${scope.funcText(item.type, parsed)};`,
          ];
        case 'instance':
          if (parseInterfaceName(name)) return [`${verb} ${pathText(name)};`];
          if (!isLabel(name)) return [commentText(verb, name, 'interface')];
          return [
            `${verb} ${idText(name)}: interface {`,
            ...interfaceLines(cx, { order: Infinity, packageName: null, docsName: name }, [
              ...item.type.exports,
            ]).map(indent),
            '}',
          ];
        default:
          return [commentText(verb, name, item.kind)];
      }
    });
  const [imports, exports] = [lines('import', type.imports), lines('export', type.exports)];
  const parts = [scope.typeLines(), imports, exports].filter((part) => part.length > 0);
  return parts.flatMap((part, i) => (i === 0 ? part : ['', ...part]));
}
