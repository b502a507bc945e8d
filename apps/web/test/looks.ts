/** A kind of screen on which the pages are tested, and its colours. */
export interface Look {
  /** Names pictures. */
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  /** Whether it is held in a hand: fingers, no mouse, and the browser of a phone. */
  readonly isPhone: boolean;
}

export const PHONE = { width: 390, height: 844 } as const;
export const DESKTOP = { width: 1280, height: 800 } as const;

/** The looks of journeys and of pictures. */
export const LOOKS = {
  desktop: { name: 'desktop-light', viewport: DESKTOP, colorScheme: 'light', isPhone: false },
  phone: { name: 'phone-dark', viewport: PHONE, colorScheme: 'dark', isPhone: true },
} as const satisfies Record<string, Look>;
