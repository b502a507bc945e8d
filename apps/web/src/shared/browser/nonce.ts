/** The nonce that this page's policy lets style elements in with: a component makes some while it runs. */
export function pageNonce(): string {
  const element = document.querySelector<HTMLElement>('[nonce]');
  // Its attribute is hidden from scripts, its property is not.
  return element?.nonce ?? '';
}
