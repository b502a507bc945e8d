/**
 * What the registers mean: two maps, each with a variant whose powers or voltages are counted more coarsely.
 */
export type Profile = 'single-phase' | 'single-phase 16 kW' | 'three-phase LV' | 'three-phase HV';

export function isThreePhase(profile: Profile): boolean {
  return profile === 'three-phase LV' || profile === 'three-phase HV';
}
