import { cleanLines } from '@heliograph/contracts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** @param text any text, also within a quoted attribute; what is not seen of it is left out */
export function escapeHtml(text: string): string {
  return cleanLines(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
