/** Sessions are at depth 0, their children at 1, and no launch nests deeper than this (spec 02 §5). */
export const maxLaunchDepth = 2;
