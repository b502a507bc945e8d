/** A stretch of an appliance's programme. */
export interface Phase {
  readonly minutes: number;
  readonly watts: number;
  /** A thermostat: on for so many seconds, then off for so many, as long as the phase lasts. */
  readonly onOffS?: readonly [on: number, off: number];
}

export interface Appliance {
  readonly name: string;
  /** Hours of the local day in which a use may begin, and how likely there is one. */
  readonly uses: readonly { readonly from: number; readonly to: number; readonly likely: number }[];
  readonly phases: readonly Phase[];
}

/** The appliances of a family of four; powers as on the type plates of such appliances. */
export const APPLIANCES: readonly Appliance[] = [
  {
    name: 'kettle',
    uses: [
      { from: 6.2, to: 7.5, likely: 0.95 },
      { from: 9.5, to: 11, likely: 0.5 },
      { from: 15, to: 16.5, likely: 0.6 },
      { from: 20, to: 21.5, likely: 0.5 },
    ],
    phases: [{ minutes: 3.5, watts: 2000 }],
  },
  {
    name: 'coffee machine',
    uses: [
      { from: 6.5, to: 8, likely: 0.9 },
      { from: 13, to: 14, likely: 0.5 },
    ],
    phases: [
      { minutes: 2, watts: 1300 },
      { minutes: 25, watts: 900, onOffS: [6, 50] },
    ],
  },
  {
    name: 'microwave',
    uses: [
      { from: 7, to: 8, likely: 0.4 },
      { from: 12, to: 13.5, likely: 0.8 },
      { from: 22, to: 23, likely: 0.2 },
    ],
    phases: [{ minutes: 4, watts: 1250 }],
  },
  {
    name: 'hob',
    uses: [
      { from: 11.8, to: 12.6, likely: 0.6 },
      { from: 18, to: 19.2, likely: 0.9 },
    ],
    phases: [
      { minutes: 8, watts: 1900 },
      { minutes: 22, watts: 1600, onOffS: [9, 14] },
    ],
  },
  {
    name: 'oven',
    uses: [{ from: 17.7, to: 19, likely: 0.45 }],
    phases: [
      { minutes: 10, watts: 2300 },
      { minutes: 35, watts: 2300, onOffS: [35, 80] },
    ],
  },
  {
    name: 'dishwasher',
    uses: [{ from: 20, to: 22, likely: 0.8 }],
    phases: [
      { minutes: 8, watts: 70 },
      { minutes: 17, watts: 1900 },
      { minutes: 40, watts: 80 },
      { minutes: 13, watts: 1900 },
    ],
  },
  {
    name: 'washing machine',
    uses: [{ from: 9, to: 15, likely: 0.65 }],
    phases: [
      { minutes: 14, watts: 2050 },
      { minutes: 50, watts: 220, onOffS: [20, 12] },
      { minutes: 9, watts: 450 },
    ],
  },
  {
    name: 'vacuum cleaner',
    uses: [{ from: 10, to: 17, likely: 0.3 }],
    phases: [{ minutes: 18, watts: 750 }],
  },
  {
    name: 'hair dryer',
    uses: [{ from: 6.6, to: 7.8, likely: 0.6 }],
    phases: [{ minutes: 6, watts: 1500 }],
  },
  {
    name: 'television',
    uses: [{ from: 18.5, to: 20.5, likely: 0.9 }],
    phases: [{ minutes: 150, watts: 120 }],
  },
  {
    name: 'water heater',
    uses: [
      { from: 2, to: 3.5, likely: 0.9 },
      { from: 13, to: 14.5, likely: 0.7 },
    ],
    phases: [{ minutes: 32, watts: 1200 }],
  },
];
