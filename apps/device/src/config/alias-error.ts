import { type Document, isAlias, visit } from 'yaml';

/** A fault in the aliases of a document that is YAML but gives no value, and its offset in the text. */
export interface AliasError {
  readonly offset: number;
  readonly message: string;
}

/** The first alias that refers to nothing; else the first there is, of those that multiply or go in a circle. */
export function findAliasError(document: Document.Parsed): AliasError {
  const anchors = new Set<string>();
  let flaw: AliasError | undefined;
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
        return undefined;
      }
      const offset = node.range?.[0] ?? 0;
      if (!anchors.has(node.source)) {
        flaw = { offset, message: `"*${node.source}" refers to "&${node.source}", which is not above it` };
        return visit.BREAK;
      }
      flaw ??= {
        offset,
        message: `"*${node.source}" and others like it say too much, or contain themselves`,
      };
      return undefined;
    },
  });
  return flaw ?? { offset: 0, message: 'this cannot be read as YAML' };
}
