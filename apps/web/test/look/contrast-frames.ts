import type { Page } from '@heliograph/dev/testing/browser';

/** Level AA of WCAG 2.2 for text of any size. */
const MIN_CONTRAST = 4.5;

/** How many frames a change of colours is watched for: colours reach one level of a page in each at worst. */
const FRAMES = 15;

/**
 * Defines `readUnreadable()`: the texts of a page that now have too little contrast with their grounds, a line each. It throws where the
 * page shows no text.
 */
const READER = `{
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const parse = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      known.set(color, [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255));
    }
    return known.get(color);
  };
  const above = (upper, lower) => [0, 1, 2].map((at) => upper[at] * upper[3] + lower[at] * (1 - upper[3]));
  let grounds;
  const groundOf = (element) => {
    if (!grounds.has(element)) grounds.set(element, readGround(element));
    return grounds.get(element);
  };
  const readGround = (element) => {
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 || element.parentElement === null ? own : above(own, groundOf(element.parentElement));
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const contrastOf = (element) => {
    const ground = groundOf(element);
    const both = [luminance(above(parse(getComputedStyle(element).color), ground)), luminance(ground)];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  };
  const hasText = (element) =>
    element.matches('input:not([type=radio], [type=checkbox]), select, textarea')
      ? element.value !== ''
      : [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  globalThis.readUnreadable = () => {
    grounds = new Map();
    let texts = 0;
    const lines = [...document.querySelectorAll('body *:not(script, style, noscript, option)')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      if (width < 2 || height < 2 || !hasText(element) || element.closest('[aria-hidden=true], [data-disabled], :disabled') !== null) return [];
      texts += 1;
      const contrast = contrastOf(element);
      return contrast < ${MIN_CONTRAST} ? [contrast.toFixed(2) + ' ' + element.outerHTML.slice(0, 100)] : [];
    });
    if (texts === 0) throw new Error('the page shows no text');
    return lines;
  };
}`;

/**
 * The texts without enough contrast in the frames that follow a change of colours, each with its frame.
 *
 * @param change an expression of the page, or of the test when the system changes
 */
export async function unreadableDuring(
  page: Page,
  change: string | (() => Promise<void>),
): Promise<string[]> {
  await page.evaluate(READER);
  const frames: Promise<string[]> = page.evaluate(`new Promise((resolve, reject) => {
    const found = [];
    let frame = 0;
    const read = () => {
      try {
        found.push(...readUnreadable().map((line) => 'frame ' + frame + ': ' + line));
      } catch (error) {
        reject(error);
        return;
      }
      frame += 1;
      if (frame < ${FRAMES}) requestAnimationFrame(read);
      else resolve(found.slice(0, 5));
    };
    requestAnimationFrame(read);
    ${typeof change === 'string' ? change : ''}
  })`);
  if (typeof change === 'function') await change();
  return await frames;
}
