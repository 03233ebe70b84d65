import { z } from 'zod';
import {
  accepted,
  judgeCustomisation,
  parseAllowlist,
  type Profile,
  type ProfileName,
  rejected,
  type Result,
} from '#policy';
import { type LocalCustomisation, PolicyFiles, type ResolvedDefinition } from './policy-files.js';
import type { ResolvedLaunch } from './resolve-launch.js';

/** What the names of a call stood for when it was judged, beside the policy that they led to. */
const Snapshot = z.object({
  policy: z.object({ kind: z.string(), entries: z.array(z.string()).exactOptional() }),
  guidance: z.union([z.null(), z.string()]),
  profile: z.union([z.null(), z.object({ profile: z.string(), contentHash: z.string() })]),
  definition: z.union([
    z.null(),
    z.object({
      tier: z.enum(['bundled', 'user', 'project']),
      definition: z.object({
        name: z.string(),
        description: z.string(),
        tools: z.array(z.string()),
        model: z.union([z.null(), z.string()]),
        agents: z.array(z.string()),
        systemPrompt: z.string(),
        contentHash: z.string(),
      }),
    }),
  ]),
});
type Snapshot = z.infer<typeof Snapshot>;

/**
 * A resolved launch as text: what is classified, shown and approved, and what then launches (spec 02 §1). Two launches with one text
 * start the same agent, so the texts are compared and nothing else. The restriction notice follows from the rest and the surface.
 */
export function printSnapshot({ policy, ceiling, guidance, profile, definition }: ResolvedLaunch): string {
  return JSON.stringify({ policy, ceiling, guidance, profile, definition });
}

/**
 * The files of a snapshot, in the place of those on disk: a profile that was edited since is not looked at again. The trust of the
 * session is judged anew, because it may have shrunk. Null for a text that is no snapshot: the files on disk are read then, and the
 * new text differs from the one that was decided on.
 */
export function filesOfSnapshot(text: string): PolicyFiles | null {
  const parsed = Snapshot.safeParse(jsonOf(text));
  return parsed.success ? new RecordedFiles(parsed.data) : null;
}

class RecordedFiles extends PolicyFiles {
  constructor(private readonly snapshot: Snapshot) {
    super();
  }

  override readProfile(from: LocalCustomisation, name: ProfileName): Promise<Result<Profile>> {
    const trusted = judgeCustomisation(from, 'fork_profile');
    return Promise.resolve(trusted.ok ? this.profile(name) : trusted);
  }

  override readDefinition(from: LocalCustomisation, name: string): Promise<Result<ResolvedDefinition>> {
    const { definition } = this.snapshot;
    if (definition?.definition.name !== name) return Promise.resolve(notRecorded(name));
    const trusted = judgeCustomisation(from, 'agent definition');
    return Promise.resolve(definition.tier === 'bundled' || trusted.ok ? accepted(definition) : trusted);
  }

  private profile(name: ProfileName): Result<Profile> {
    const { profile, guidance, policy } = this.snapshot;
    if (profile?.profile !== name) return notRecorded(name);
    const tools = parseAllowlist(policy.entries);
    if (!tools.ok) return tools;
    const { contentHash } = profile;
    return accepted({ name, tools: tools.value, promptHint: guidance, description: null, contentHash });
  }
}

function notRecorded(name: string): Result<never> {
  return rejected('PROFILE_FILE_INVALID', 'The launch was decided on with other files than it names.', {
    offenders: [name],
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
