import { ApiError, type ProbeBody } from '@heliograph/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../shared/app-frame.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { device } from '../device.ts';

/** Nothing tells the pages how far a look has come: it is asked for while it runs. */
const LOOK_EVERY_MS = 700;

/** Where a browser tab keeps which look it began, so that it finds it again after another page. */
const KEPT = 'heliograph_probe';

const NOT_FOUND = 404;

const probeQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['probe', id],
    queryFn: id === null ? () => null : ({ signal }) => reportOf(id, signal),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_EVERY_MS : false),
  });

/** Null for one that the device knows no more, as after it was started anew. */
async function reportOf(id: string, signal: AbortSignal) {
  try {
    return await device.probes.get(id, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return null;
    throw error;
  }
}

/** Looks for hardware, and follows the look that this tab began. */
export function useProbe() {
  const [id, setId] = useState(() => sessionStorage.getItem(KEPT));
  const report = useQuery(probeQuery(id));
  const keep = (next: string | null): void => {
    if (next === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, next);
    setId(next);
  };
  const start = useSubmit((wish: ProbeBody) => device.probes.start(wish), {
    onDone: (started) => keep(started.id),
  });
  const cancel = useSubmit(async () => {
    if (id !== null) await device.probes.cancel(id);
    await queries.invalidateQueries({ queryKey: probeQuery(id).queryKey });
  });
  return { report: report.data ?? undefined, failure: report.error, start, cancel, forget: () => keep(null) };
}
