/** Made by `build/text-modules.ts`: the texts of `portal`, `device` or `catalogue`. */
declare module 'virtual:texts/*' {
  export const texts: import('./text-files.ts').TextFiles;
}
