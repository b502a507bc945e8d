import type { DevicePlatform } from '../devices/platform.ts';
import type { ServerPlatform } from '../platform.ts';
import type { SiteProber } from './sites/reachability.ts';
import type { WordFrequencies } from './sites/word-frequencies.ts';

/** Ground of lists of sites. The frequencies of words are cached, and outlive their requests. */
export interface SiteListPlatform extends DevicePlatform {
  readonly wordFrequencies: WordFrequencies;
}

/** Ground of use cases about sites. Answers of probed sites are cached, and outlive their requests. */
export interface SitePlatform extends ServerPlatform, SiteListPlatform {
  readonly prober: SiteProber;
}
