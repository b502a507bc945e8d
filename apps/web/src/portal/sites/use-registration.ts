import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { SITE_LISTS_KEY } from '../site/queries.ts';
import { type Callback, callbackOf } from './callback.ts';
import { isInactive, type NewDevice, type Registered, registerDevice } from './registration.ts';

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
      throw error;
    }
  };

  const sending = useSubmit(register, { onDone: arrive });
  return {
    sending,
    arrive,
    departure,
    /** The device that somebody has to activate first. */
    waiting,
  };
}
