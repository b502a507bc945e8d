/** Through what something was done, by the name that the record has for it. */
const VIA_TEXTS = {
  api: 'via.api',
  admin: 'via.admin',
  device: 'via.device',
  service: 'via.service',
} as const;

type Via = keyof typeof VIA_TEXTS;

/** @returns undefined for what a newer service may record */
export function viaText(via: string): (typeof VIA_TEXTS)[Via] | undefined {
  return Object.hasOwn(VIA_TEXTS, via) ? VIA_TEXTS[via as Via] : undefined;
}
