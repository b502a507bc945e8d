/**
 * The inputs marked as invalid, in the order of the page.
 *
 * @param form the sending form; null where the browser does not report it, as Safari after a click on a button
 */
export function invalidInputs(form: HTMLFormElement | null): readonly HTMLElement[] {
  const dialog = document.querySelector('[role="dialog"]');
  const place = form ?? dialog ?? document;
  return [...place.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
}
