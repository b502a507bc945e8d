import type { ESTree } from 'vite';
import { parseSync, Visitor } from 'vite';
import { type Feature, FUNCTIONS } from './compat-data.ts';

/** A function that the oldest supported browsers lack, as a script uses it. */
export interface NewerFunction {
  /** As it is written, such as `Map.groupBy` or `.union()`. */
  readonly use: string;
  /** Its path in MDN's data. */
  readonly path: string;
  readonly lackedBy: readonly string[];
  /** The code around it. */
  readonly near: string;
}

const GLOBAL_OBJECTS = ['window', 'globalThis', 'self'];

/**
 * Finds uses of functions that the oldest supported browsers lack: globals, static functions, and methods by their names. Not
 * found are methods whose name an older interface has as well, methods with a name that the scripts give members of their own,
 * and uses behind a test for the function: `typeof`, `in`, a condition, `?.()`.
 *
 * @param scripts code by file name
 * @param isShared whether names that a script defines are names of the others' objects, too
 */
export function newerFunctions(
  scripts: ReadonlyMap<string, string>,
  isShared: (name: string) => boolean = () => true,
): NewerFunction[] {
  const parsed = [...scripts].map(([name, code]) => {
    const { program, errors } = parseSync(name, code);
    if (errors[0] !== undefined) throw new Error(`${name}: ${errors[0].message}`);
    return { name, code, program, names: namesIn(program) };
  });
  const defined = new Set(
    parsed.filter(({ name }) => isShared(name)).flatMap(({ names }) => [...names.defined]),
  );
  return parsed.flatMap(({ code, program, names }) =>
    usesIn(program, code, { ...names, defined: new Set([...defined, ...names.defined]) }),
  );
}

interface Names {
  /** Of members of objects and classes. */
  readonly defined: ReadonlySet<string>;
  /** Of variables, parameters and imports. */
  readonly bound: ReadonlySet<string>;
  /** Of functions whose presence is tested. */
  readonly tested: ReadonlySet<string>;
}

function namesIn(program: ESTree.Program): Names {
  const defined = new Set<string>();
  const bound = new Set<string>();
  const tested = new Set<string>();
  const define = ({ key, computed }: { key: ESTree.Node; computed: boolean }): void => {
    const name = computed ? undefined : textOf(key);
    if (name !== undefined) defined.add(name);
  };
  const bind = (pattern: ESTree.Node | null | undefined): void => {
    for (const name of boundBy(pattern)) bound.add(name);
  };
  const test = (node: ESTree.Node): void => {
    if (node.type === 'BinaryExpression') {
      test(node.left);
      test(node.right);
    } else if (node.type === 'UnaryExpression') {
      test(node.argument);
    } else {
      const name = node.type === 'MemberExpression' ? memberOf(node) : textOf(node);
      if (name !== undefined) tested.add(name);
    }
  };
  const bindFunction = (node: { id?: ESTree.Node | null; params: readonly ESTree.Node[] }): void => {
    bind(node.id);
    for (const parameter of node.params) bind(parameter);
  };
  new Visitor({
    Property: define,
    MethodDefinition: define,
    PropertyDefinition: define,
    AssignmentExpression: ({ left }) => {
      const name = left.type === 'MemberExpression' ? memberOf(left) : undefined;
      if (name !== undefined) defined.add(name);
    },
    BinaryExpression: ({ operator, left }) => operator === 'in' && test(left),
    UnaryExpression: ({ operator, argument }) => operator === 'typeof' && test(argument),
    LogicalExpression: ({ left }) => test(left),
    ConditionalExpression: (node) => test(node.test),
    IfStatement: (node) => test(node.test),
    CallExpression: ({ optional, callee }) => optional && test(callee),
    VariableDeclarator: ({ id }) => bind(id),
    FunctionDeclaration: bindFunction,
    FunctionExpression: bindFunction,
    ArrowFunctionExpression: bindFunction,
    ClassDeclaration: ({ id }) => bind(id),
    ImportSpecifier: ({ local }) => bind(local),
    CatchClause: ({ param }) => bind(param),
  }).visit(program);
  return { defined, bound, tested };
}

function usesIn(program: ESTree.Program, code: string, { defined, bound, tested }: Names): NewerFunction[] {
  const found: NewerFunction[] = [];
  const report = (use: string, features: readonly Feature[] | undefined, { start }: ESTree.Node): void => {
    const [first] = features ?? [];
    if (first === undefined || features?.some(({ lackedBy }) => lackedBy.length === 0)) return;
    const near = code.slice(Math.max(0, start - 60), start + 60).replaceAll(/\s+/g, ' ');
    found.push({ use, ...first, near });
  };
  new Visitor({
    CallExpression(node) {
      const { callee } = node;
      const name = callee.type === 'MemberExpression' ? memberOf(callee) : undefined;
      if (name === undefined || tested.has(name) || defined.has(name)) return;
      report(`.${name}()`, FUNCTIONS.members.get(name), node);
    },
    MemberExpression(node) {
      const name = memberOf(node);
      if (name === undefined || tested.has(name) || node.object.type !== 'Identifier') return;
      const owner = node.object.name;
      const isGlobal = GLOBAL_OBJECTS.includes(owner);
      const features = isGlobal ? FUNCTIONS.globals : FUNCTIONS.statics;
      report(`${owner}.${name}`, features.get(isGlobal ? name : `${owner}.${name}`), node);
    },
    Identifier(node) {
      const { name } = node;
      if (bound.has(name) || tested.has(name) || defined.has(name) || code[node.start - 1] === '.') return;
      report(name, FUNCTIONS.globals.get(name), node);
    },
  }).visit(program);
  return found;
}

function memberOf({ computed, property }: ESTree.MemberExpression): string | undefined {
  return computed && property.type === 'Identifier' ? undefined : textOf(property);
}

/** The name that a node is, or the text that it has. */
function textOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.quasis.length === 1)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

function boundBy(pattern: ESTree.Node | null | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        boundBy(each.type === 'RestElement' ? each.argument : each.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundBy);
    case 'AssignmentPattern':
      return boundBy(pattern.left);
    case 'RestElement':
      return boundBy(pattern.argument);
    default:
      return [];
  }
}
