/** The addresses in text with one a line; spaces around them mean nothing, nor do empty lines. */
export function redirectLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
