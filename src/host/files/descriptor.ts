// A descriptor as a guest holds it: a file or directory of the machine with the rights it was opened with. Rights only
// shrink on the way down: what a directory may not, nothing opened through it may.

import type { Holding } from '../handles.ts';
import type { Place } from './place.ts';

export const DESCRIPTOR_FLAGS = [
  'read',
  'write',
  'file-integrity-sync',
  'data-integrity-sync',
  'requested-write-sync',
  'mutate-directory',
] as const;

export type DescriptorFlag = (typeof DESCRIPTOR_FLAGS)[number];

/** The granted directory that a descriptor came from: the border that no path may cross. */
export interface Root {
  readonly place: Place;
  /** As the policy names it. */
  readonly hostPath: string;
}

export interface DirectoryDescriptor extends Holding {
  readonly kind: 'descriptor';
  readonly type: 'directory';
  readonly flags: ReadonlySet<DescriptorFlag>;
  readonly root: Root;
  readonly place: Place;
}

export interface FileDescriptor extends Holding {
  readonly kind: 'descriptor';
  readonly type: 'regular-file';
  readonly flags: ReadonlySet<DescriptorFlag>;
  readonly root: Root;
  readonly fd: number;
  /** A second descriptor of the same file in append mode, opened on first use. */
  appendFd: number | null;
}

export type Descriptor = DirectoryDescriptor | FileDescriptor;
