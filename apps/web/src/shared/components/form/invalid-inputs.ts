/**
 * The inputs that say they are wrong, in the order of the page.
 *
 * @param form where it was sent from; null where the browser does not tell, as Safari after a click on a button
 */
export function invalidInputs(form: HTMLFormElement | null): readonly HTMLElement[] {
  const dialog = document.querySelector('[role="dialog"]');
  const place = form ?? dialog ?? document;
  return [...place.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
}
