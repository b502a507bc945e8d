/** The release this is, by its date: what clients compare to learn what a device can do. */
export const SOFTWARE_VERSION = '2026-11-20';
