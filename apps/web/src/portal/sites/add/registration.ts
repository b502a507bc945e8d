import { ApiError, requiresRegistrationCode, type SiteSummary, type SiteWithToken } from '@heliograph/client';
import { normalizeTyped } from '@heliograph/contracts/typed-text';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import { SITE_LISTS_KEY } from '../site/queries.ts';
import { type Callback, callbackOf } from './callback.ts';

export interface NewDevice {
  readonly uid: string;
  /** Empty: the site gets one later. */
  readonly name: string;
  readonly description: string;
  /** Empty without one; a device that was released takes one. */
  readonly code: string;
}

/** A site whose device is registered. */
export type Registered = { readonly site: SiteWithToken; readonly isNamed: boolean };

export async function registerDevice({ uid, name, description, code }: NewDevice): Promise<Registered> {
  const site = await cloud.registerSite({
    uid: uid.trim(),
    name: name.trim() || undefined,
    description: description.trim() || undefined,
    code: normalizeTyped(code) || undefined,
  });
  return { site, isNamed: isNamedAs(site, name) };
}

/** Whether the device is not activated yet: the only other 422 without errors of fields is of a device that was released. */
export function isInactive(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 422 &&
    error.body.errors === undefined &&
    !requiresRegistrationCode(error)
  );
}

export interface ActivationInput {
  readonly message: string;
  readonly code: string;
}

/**
 * Requests the activation of a device. A device that is activated at once is registered without a name and then named.
 *
 * @returns undefined when another person decides
 */
export async function requestActivation(
  device: NewDevice,
  { message, code }: ActivationInput,
): Promise<Registered | undefined> {
  const answer = await cloud.requestActivation({
    uid: device.uid.trim(),
    message: message.trim() || undefined,
    code: normalizeTyped(code) || undefined,
  });
  if (answer.status === 'requested') return undefined;
  return await nameSite(answer, device.name.trim());
}

/** The device is its owner's whatever comes of the name: that can be given again on the site's page. */
async function nameSite(site: SiteWithToken, name: string): Promise<Registered> {
  if (name === '' || isNamedAs(site, name)) return { site, isNamed: true };
  try {
    return { site: await cloud.renameSite({ id: site.id, name }), isNamed: true };
  } catch {
    return { site, isNamed: false };
  }
}

function isNamedAs({ name }: SiteSummary, wanted: string): boolean {
  return wanted.trim() === '' || name?.toLowerCase() === wanted.trim().toLowerCase();
}

/** The device is registered, and a link said where to go from here. */
export interface DeviceRedirect {
  readonly callback: Callback;
  readonly sitePath: string;
}

/**
 * Registers a device, and goes where that leads: back to the device that sent its owner here, else to the new site.
 *
 * @param wantedCallback the `callback` of the link that led here
 */
export function useRegistration(wantedCallback: string | null) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [waiting, setWaiting] = useState<NewDevice>();
  const [released, setReleased] = useState<string>();
  const [departure, setDeparture] = useState<DeviceRedirect>();

  const arrive = ({ site, isNamed }: Registered): void => {
    void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
    const sitePath = isNamed ? `/sites/${site.id}` : `/sites/${site.id}/device`;
    const callback = callbackOf(wantedCallback, site.token, site.url);
    if (callback === undefined) {
      navigate(sitePath);
      return;
    }
    setDeparture({ callback, sitePath });
    if (callback.isTrusted) location.assign(callback.href);
  };

  const register = async (device: NewDevice): Promise<Registered> => {
    try {
      return await registerDevice(device);
    } catch (error) {
      setWaiting(isInactive(error) ? device : undefined);
      if (requiresRegistrationCode(error)) setReleased(device.uid);
      throw error;
    }
  };

  const sending = useSubmit(register, { onDone: arrive });
  return {
    sending,
    arrive,
    departure,
    /** The device that waits for its activation. */
    waiting,
    /** The uid of the device that was released, and takes a code. */
    released,
  };
}
