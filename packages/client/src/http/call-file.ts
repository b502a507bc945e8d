import { type Call, exchange } from './call.ts';

/** A file with the name that the answer gives it. */
export function callFile(base: string, call: Call): Promise<File> {
  return exchange(base, call, async (response) => {
    const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
    const blob = await response.blob();
    return new File([blob], named?.[1] ?? 'file', { type: blob.type });
  });
}
