import { useRef, useState } from 'react';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { cloud } from '../session/cloud.ts';
import { type RefusedFile, type UploadedFile, uploadFiles } from './upload-files.ts';

/** The service's limits: bytes of a file, and files of a message. */
const MAX_ATTACHMENT_SIZE = 10 * 1024 * 1024;
const MAX_ATTACHMENTS = 10;

/** The files of a message that is being written. */
export interface Attachments {
  readonly files: readonly UploadedFile[];
  readonly ids: number[];
  /** The files of the last choice that the message does not take. */
  readonly refused: readonly RefusedFile[];
  /** Whether chosen files are on their way: a message that is sent now would lack them. */
  readonly isUploading: boolean;
  readonly isFull: boolean;
  /** The failure that ended the last upload before its last file; undefined when there is none. */
  readonly error: unknown;
  readonly choose: (chosen: readonly File[]) => void;
  readonly remove: (id: number) => void;
  /** Begins the next message. */
  readonly clear: () => void;
}

/** Files are uploaded as soon as they are chosen. Others may be removed meanwhile. */
export function useAttachments(): Attachments {
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  // Files are removed while others are on their way.
  const latest = useRef(files);
  const change = (next: readonly UploadedFile[]): void => {
    latest.current = next;
    setFiles(next);
  };
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const { submit, isPending, error, reset } = useSubmit(async (chosen: readonly File[]) => {
    const done = await uploadFiles(chosen, () => MAX_ATTACHMENTS - latest.current.length, cloud);
    change([...latest.current, ...done.uploaded]);
    setRefused((before) => [...before, ...done.refused]);
    if (done.failure !== undefined) throw done.failure;
  });
  return {
    files,
    ids: files.map(({ id }) => id),
    refused,
    isUploading: isPending,
    isFull: files.length >= MAX_ATTACHMENTS,
    error,
    choose: (chosen) => {
      const refusals = chosen.flatMap(({ name, size }): RefusedFile[] => {
        if (size > MAX_ATTACHMENT_SIZE) return [{ name, reason: 'tooLarge' }];
        return size === 0 ? [{ name, reason: 'emptyFile' }] : [];
      });
      setRefused(refusals);
      const sendable = chosen.filter(({ size }) => size > 0 && size <= MAX_ATTACHMENT_SIZE);
      if (sendable.length > 0) submit(sendable);
    },
    remove: (id) => change(latest.current.filter((file) => file.id !== id)),
    clear: () => {
      change([]);
      setRefused([]);
      reset();
    },
  };
}
