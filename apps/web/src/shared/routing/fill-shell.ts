/** Texts by the `data-field` of the elements that show them; an empty one has none. */
export type ShellFields = Readonly<Record<string, string>>;

/** Writes data into the prerendered shell, until the application replaces it. A list has a template of its entries. */
export function fillShell(fields: ShellFields | readonly ShellFields[]): void {
  const root = document.querySelector('#root[aria-busy]');
  if (root === null) return;
  if (!isList(fields)) {
    fill(root, fields);
    return;
  }
  const template = root.querySelector('template');
  const entries = fields.map((one) => {
    const entry = document.importNode(template?.content ?? new DocumentFragment(), true);
    fill(entry, one);
    return entry;
  });
  template?.after(...entries);
}

function fill(within: ParentNode, fields: ShellFields): void {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    const text = fields[element.dataset['field'] ?? ''] ?? '';
    if (text !== '') element.textContent = text;
    element.hidden = text === '';
  }
}

function isList(fields: ShellFields | readonly ShellFields[]): fields is readonly ShellFields[] {
  return Array.isArray(fields);
}
