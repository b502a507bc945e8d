/** Texts by the `data-field` of the elements that show them; where it is empty there is no element. */
export type ShellFields = Readonly<Record<string, string>>;

/** Keeps the line of a text that comes later. */
export const LATER = '\u00a0';

/** Writes data into the prerendered shell, until the application replaces it. A list has a template of its entries. */
export function fillShell(fields: ShellFields | readonly ShellFields[]): void {
  const root = document.querySelector('#root[aria-busy]');
  if (root === null) return;
  if (!isList(fields)) {
    fill(root, fields);
    return;
  }
  const template = root.querySelector('template');
  if (template === null) return;
  const entries = fields.map((one) => {
    const entry = document.importNode(template.content, true);
    fill(entry, one);
    return entry;
  });
  // Styles count the entries of a list, as those of the page do.
  template.replaceWith(...entries);
}

function fill(within: ParentNode, fields: ShellFields): void {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    const text = fields[element.dataset['field'] ?? ''] ?? '';
    element.textContent = text;
    element.hidden = false;
    // A style that lays it out would show what is hidden.
    if (text === '') element.remove();
  }
}

function isList(fields: ShellFields | readonly ShellFields[]): fields is readonly ShellFields[] {
  return Array.isArray(fields);
}
