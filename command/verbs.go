package command

import "strings"

// A verb is the name of a program or built-in, and who judges it.
type verb struct {
	judge func(*call)
	// looks says that the judge itself looks at words that only the phone
	// knows, because not every such word matters to it: "ls $x" is harmless.
	looks bool
}

// verbs is every verb that is known. It is filled once, from the families'
// tables, and only read after that.
var verbs = map[string]verb{}

func init() {
	add := func(names string, judge func(*call), looks bool) {
		for _, name := range strings.Fields(names) {
			verbs[name] = verb{judge, looks}
		}
	}
	for name := range harmless {
		add(name, pure, true)
	}
	for name := range readers {
		add(name, readFiles, true)
	}
	for name := range wrappers {
		add(name, wrap, true)
	}
	for name := range deviceVerbs {
		add(name, device, false)
	}

	// The shell and what runs something in turn.
	add("sh mksh ash bash dash zsh ksh rbash", shell, true)
	add("eval", eval, true)
	add("trap", trap, true)
	add("xargs parallel", xargs, true)
	add("su sudo doas", su, true)
	add("run-as", runAs, true)
	add("alias", alias, true)
	add(". source", source, false)
	add("app_process app_process32 app_process64 dalvikvm dalvikvm32 dalvikvm64 art python python3 perl "+
		"ruby node php lua tclsh linker linker64 gdbserver gdbserver64 strace ltrace simpleperf "+
		"crash_dump64 debuggerd atrace perfetto am_shell rish shizuku script expect fc bind history "+
		"coproc dexdump dex2oat dex2oat64 oatdump installd idmap2 wait4x make m4 vi vim ed nano", opaque, false)

	// Acting on the screen, and looking at it.
	add("input", input, false)
	add("monkey", monkey, false)
	add("sendevent uinput hid uhid", sendevent, false)
	add("getevent", getevent, false)
	add("screencap", capture, false)
	add("uiautomator", uiautomator, false)
	add("screenrecord", screenRecord, false)

	// Apps and the system's services.
	add("am", am, false)
	add("pm", pm, false)
	add("cmd", cmd, false)
	add("service", service, false)
	add("settings", settings, false)
	add("setprop", setprop, false)
	add("content", content, false)
	add("dumpsys", dumpsys, false)
	add("logcat", logcat, false)
	add("bugreport bugreportz dumpstate incident incidentd dmesg", bugReport, false)
	add("ime", ime, false)
	add("appops", appops, false)
	add("dpm", dpm, false)
	add("locksettings", lockSettings, false)
	add("telecom", telecom, false)
	add("svc", svc, false)
	add("wm", wm, false)
	add("bmgr", bmgr, false)
	add("bu", backup, false)

	// Files.
	add("rm rmdir unlink shred", remove, true)
	add("cp mv ln install", copyFiles, true)
	add("mkdir", makeFolders, true)
	add("touch mkfifo mknod mktemp chmod chown chgrp chcon chattr restorecon setfacl", create, true)
	add("truncate fallocate split csplit patch", overwrite, true)
	add("tee", tee, true)
	add("dd", copyBlocks, true)
	add("sed", sed, true)
	add("awk gawk mawk", awk, true)
	add("sort", sortFiles, true)
	add("find", find, true)
	add("tar cpio zip unzip gzip gunzip bzip2 bunzip2 xz unxz", archive, true)
	add("sqlite3", database, false)

	// The network.
	add("curl wget ftpget ftpput ftp tftp scp sftp ssh telnet rsync socat openssl host nslookup dig", network, false)
	add("nc netcat ncat", netcat, false)
	add("telnetd sshd dropbear httpd ftpd tcpsvd inetd socksd frpc frps ngrok cloudflared", serve, false)

	// The rest of the shell.
	add("date", date, false)
	add("kill killall pkill killall5", kill, true)
}
