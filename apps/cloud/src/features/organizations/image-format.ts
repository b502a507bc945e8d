import { isPng } from './png.ts';
import { isSvg } from './svg.ts';

export const IMAGE_TYPES = ['image/svg+xml', 'image/png'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export function isImageType(text: string): text is ImageType {
  return IMAGE_TYPES.some((type) => type === text);
}

/** Whether bytes are an image of a type, as far as can be told without drawing it. */
export function isImage(type: ImageType, bytes: Buffer): boolean {
  return type === 'image/png' ? isPng(bytes) : isSvg(bytes);
}
