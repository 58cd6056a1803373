// The systemd unit of the server, with minimal privileges.

/** The data directory, and the directory for backups that the unit can write. */
export const STATE = "/var/lib/skein";
export const BACKUPS = "/var/lib/skein-backups";

/** MemoryDenyWriteExecute is missing, because the runtime compiles code while it runs. */
const TEXT = `[Unit]
Description=Skein, a team-chat server
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=notify
NotifyAccess=main
ExecStart=EXECUTABLE serve
ExecReload=/bin/kill -HUP $MAINPID
WatchdogSec=60
Restart=on-failure
RestartSec=2
TimeoutStartSec=15min
TimeoutStopSec=30

User=skein
Group=skein
# Directories for data, temporary files and backups. systemd creates them; the service can write
# there. Backups in another directory need a line such as: ReadWritePaths=/mnt/backups
StateDirectory=skein skein/tmp skein-backups
StateDirectoryMode=0700
RuntimeDirectory=skein
RuntimeDirectoryMode=0700
ConfigurationDirectory=skein
# The account reads its settings there; files with secrets have stricter modes.
ConfigurationDirectoryMode=0755
Environment=SKEIN_DATA=/var/lib/skein
# The database library is unpacked and loaded from there; /tmp and /run may not allow that.
Environment=TMPDIR=/var/lib/skein/tmp
UMask=0077
LimitNOFILE=1048576
# Secrets, each a file that only root can read:
#LoadCredential=smtp_password:/etc/skein/smtp_password

AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
ProcSubset=pid
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# Backups lower the priority of their threads.
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM
ManagedOOMPreference=avoid

[Install]
WantedBy=multi-user.target
`;

/** The account of the service, as a line for systemd-sysusers. */
export const ACCOUNT = 'u skein - "Skein" /var/lib/skein\n';

export const ACCOUNT_NAME = "skein";

/** Allows the server to write to another backup directory, and configures it. */
export function backupDropIn(directory: string): string {
  const escaped = directory.replaceAll("%", "%%");
  return `# Written by skein service install --backup-to. It takes precedence over backup_to.
[Unit]
After=remote-fs.target

[Service]
ReadWritePaths=-${escaped}
Environment=SKEIN_BACKUP_TO=${escaped}
`;
}

export function unitOf({ executable }: { executable: string }): string {
  return TEXT.replace("EXECUTABLE", () => executable);
}
