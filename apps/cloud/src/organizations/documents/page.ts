import { escapeHtml } from '../../common/markup/escape-html.ts';
import type { LegalText } from './documents.ts';

/**
 * Plain text as HTML. An empty line ends a paragraph; lines that begin with `# `, `## ` and `- ` are headings,
 * smaller headings and items of a list. Everything else is text, whatever it looks like.
 */
export function fragmentOf(text: string): string {
  return blocksOf(text).map(blockHtml).join('\n');
}

/** A whole page around the text. */
export function pageOf({ title, issuer, text }: LegalText): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${title} - ${issuer}`)}</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${fragmentOf(text)}
</body>
</html>
`;
}

const TAGS = { '#': 'h2', '##': 'h3', '-': 'li', '': 'p' } as const;

interface Block {
  readonly tag: (typeof TAGS)[keyof typeof TAGS];
  readonly lines: string[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.split(/\r\n|\r|\n/).map((each) => each.trim())) {
    const { tag, content } = lineOf(line);
    if (line === '') open = undefined;
    else if (tag === 'p' && open !== undefined) open.lines.push(content);
    else {
      const block = { tag, lines: [content] };
      blocks.push(block);
      // A heading is one line; a paragraph and an item can continue.
      open = tag === 'p' || tag === 'li' ? block : undefined;
    }
  }
  return blocks;
}

function lineOf(line: string): { tag: Block['tag']; content: string } {
  const [, mark = '', content = line] = /^(##?|-)\s+(.*)$/.exec(line) ?? [];
  return { tag: isMark(mark) ? TAGS[mark] : 'p', content };
}

function isMark(mark: string): mark is keyof typeof TAGS {
  return mark in TAGS;
}

/** Items stand in a list: the first of a run opens it, the last closes it. */
function blockHtml({ tag, lines }: Block, index: number, blocks: readonly Block[]): string {
  const html = `<${tag}>${lines.map(escapeHtml).join('<br>\n')}</${tag}>`;
  if (tag !== 'li') return html;
  const opening = blocks[index - 1]?.tag === 'li' ? '' : '<ul>\n';
  const closing = blocks[index + 1]?.tag === 'li' ? '' : '\n</ul>';
  return opening + html + closing;
}
