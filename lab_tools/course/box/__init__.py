"""What runs inside the sandbox: one warm process, and a fork of it for every submission.

`lab_tools.course.sandbox` starts the warm process under bubblewrap, which gives it a read-only
system without network, gradebook, submissions or checks. For every job it forks a keeper, which
gives the job namespaces, a private temporary file system and limits of its own.
"""
