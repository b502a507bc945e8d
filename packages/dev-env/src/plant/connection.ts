/** How simulated hardware is written in a device's configuration file. */
export interface PlantConnection {
  readonly driver: string;
  readonly bus: string;
  readonly unit?: number;
}
