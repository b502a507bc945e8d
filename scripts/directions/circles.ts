import { posix } from 'node:path';
import { importsOf, isTest, targetOf } from './imports.ts';

/** By folder: the folders beside it that its files import. */
type FolderGraph = Map<string, Set<string>>;

/**
 * Circles of folders side by side that import each other, each as its folders in order.
 *
 * @param sources by path from the project's root
 */
export function circlesIn(sources: ReadonlyMap<string, string>): string[][] {
  const graphs = new Map<string, FolderGraph>();
  for (const [file, source] of sources) {
    if (isTest(file)) continue;
    for (const specifier of importsOf(source)) {
      if (specifier.startsWith('.')) addArrow(graphs, file, targetOf(file, specifier));
    }
  }
  return [...graphs.values()].flatMap((graph) => circleOf(graph) ?? []).map((circle) => circle.split(' '));
}

/** Between the two folders in which the paths part; a file that lies beside the other's folder has none. */
function addArrow(graphs: Map<string, FolderGraph>, file: string, target: string): void {
  const from = file.split('/');
  const to = target.split('/');
  const depth = from.findIndex((part, index) => part !== to[index]);
  if (depth >= from.length - 1 || depth >= to.length - 1) return;
  const parent = from.slice(0, depth).join('/');
  const graph = graphs.get(parent) ?? new Map();
  graphs.set(parent, graph);
  const folder = posix.join(parent, from[depth] ?? '');
  graph.set(folder, (graph.get(folder) ?? new Set()).add(posix.join(parent, to[depth] ?? '')));
}

/** The first circle, its folders separated by spaces. */
function circleOf(graph: FolderGraph): string | undefined {
  const finished = new Set<string>();
  const visit = (folder: string, way: readonly string[]): string | undefined => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder].join(' ');
    if (finished.has(folder)) return undefined;
    for (const next of graph.get(folder) ?? []) {
      const circle = visit(next, [...way, folder]);
      if (circle !== undefined) return circle;
    }
    finished.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const circle = visit(folder, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
