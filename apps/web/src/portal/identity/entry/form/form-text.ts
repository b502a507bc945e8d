/** The text of a field; empty for a file or a missing field. */
export function formText(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === 'string' ? value : '';
}
