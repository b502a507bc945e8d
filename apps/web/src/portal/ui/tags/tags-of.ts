/** Tags of a text that separates them by commas. */
export function tagsOf(text: string): string[] {
  return text
    .split(/[,，、]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
