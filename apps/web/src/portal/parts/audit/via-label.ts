/** Through what something was done, by the name that the record has for it. */
const VIA_LABELS = {
  api: 'via.api',
  admin: 'via.admin',
  device: 'via.device',
  service: 'via.service',
} as const;

type Via = keyof typeof VIA_LABELS;

/** @returns undefined for what a newer service may record */
export function viaLabel(via: string): (typeof VIA_LABELS)[Via] | undefined {
  return Object.hasOwn(VIA_LABELS, via) ? VIA_LABELS[via as Via] : undefined;
}
