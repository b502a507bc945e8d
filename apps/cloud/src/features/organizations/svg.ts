const utf8 = new TextDecoder('utf-8', { fatal: true });

const NAMESPACE = /\sxmlns\s*=\s*(?:"http:\/\/www\.w3\.org\/2000\/svg"|'http:\/\/www\.w3\.org\/2000\/svg')/;

/**
 * Whether bytes are an XML document in UTF-8 with an SVG root. What the root holds is not looked at: it is served
 * where no script runs and nothing is loaded.
 */
export function isSvg(bytes: Buffer): boolean {
  try {
    return hasSvgRoot(utf8.decode(bytes));
  } catch {
    return false;
  }
}

/** Goes through the text by hand: patterns with nested repetitions can take minutes for a crafted file. */
function hasSvgRoot(text: string): boolean {
  const start = afterMisc(text, afterDoctype(text, afterMisc(text, 0)));
  if (!/^<svg\s/.test(text.slice(start, start + 5))) return false;
  const end = endOfTag(text, start);
  const closing = text.lastIndexOf('</svg');
  if (closing < end || !NAMESPACE.test(text.slice(start, end))) return false;
  const closed = text.indexOf('>', closing);
  return text.slice(closing + 5, closed).trim() === '' && afterMisc(text, closed + 1) === text.length;
}

/** Behind what may stand around the root: space, comments, processing instructions. */
function afterMisc(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    if (text.startsWith('<!--', at)) at = behind(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = behind(text, '?>', at + 2);
    else return at;
  }
}

/** A document type with declarations of its own is none to us: those can blow a small file up. */
function afterDoctype(text: string, from: number): number {
  if (!text.startsWith('<!DOCTYPE', from)) return from;
  const end = behind(text, '>', from);
  return text.slice(from, end).includes('[') ? from : end;
}

/** Where a tag ends; a `>` in quotes does not end it. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return text.length;
}

function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
