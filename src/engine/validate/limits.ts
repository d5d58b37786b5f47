// What one component may cost to validate. A binary of a few kilobytes can describe types of astronomical size
// (each type naming the one before twice), so sizes are those of the unfolded tree, and all walks share one budget.

export interface ValidationLimits {
  /** Nodes of one type, were nothing in it shared. */
  readonly typeSize: number;
  /** Nesting of one type; also of components and component types within one another. */
  readonly depth: number;
  /** Entries of one index space. */
  readonly definitions: number;
  /** Core and component instances of one component. */
  readonly instances: number;
  /** Resource types, whole file: each instance of a component brings its own. */
  readonly resources: number;
  /** Steps of all walks over types together: comparing, substituting, looking for names. */
  readonly work: number;
}

export const DEFAULT_LIMITS: ValidationLimits = {
  typeSize: 1_000_000,
  depth: 100,
  definitions: 1_000_000,
  instances: 10_000,
  resources: 100_000,
  work: 5_000_000,
};
