//! The facts of a finished set as rules-svc seals them. Not here: the chain (rules-svc), the signature (engine).
