/**
 * The colour that a CSS colour comes to at an element, for a canvas, which knows neither variables nor `light-dark()`.
 *
 * @param color any CSS colour
 */
export function resolvedColor(element: HTMLElement, color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  probe.hidden = true;
  element.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}
