;; A component by hand: three functions that become three tools, with their documentation.
(component $calculator
  (core module $m
    (memory (export "memory") 1)
    (data (i32.const 16) "division by zero")
    (data (i32.const 32) "Hello, ")
    (global $free (mut i32) (i32.const 1024))

    ;; Memory is never given back: every call gets a fresh instance.
    (func $realloc (export "realloc") (param $old i32) (param $old-size i32) (param $align i32) (param $size i32)
      (result i32)
      (local $at i32)
      (local.set $at
        (i32.and
          (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
          (i32.sub (i32.const 0) (local.get $align))))
      (global.set $free (i32.add (local.get $at) (local.get $size)))
      (block $fits
        (br_if $fits (i32.le_u (global.get $free) (i32.shl (memory.size) (i32.const 16))))
        (br_if $fits
          (i32.ne (i32.const -1)
            (memory.grow (i32.add (i32.shr_u (local.get $size) (i32.const 16)) (i32.const 1)))))
        unreachable)
      (memory.copy (local.get $at) (local.get $old) (local.get $old-size))
      (local.get $at))

    (func (export "add") (param i32 i32) (result i32)
      (i32.add (local.get 0) (local.get 1)))

    ;; result<f64, string> in memory: which case at 64, the number or the string's place and length at 72
    (func (export "divide") (param f64 f64) (result i32)
      (if (f64.eq (local.get 1) (f64.const 0))
        (then
          (i32.store8 (i32.const 64) (i32.const 1))
          (i32.store (i32.const 72) (i32.const 16))
          (i32.store (i32.const 76) (i32.const 16)))
        (else
          (i32.store8 (i32.const 64) (i32.const 0))
          (f64.store (i32.const 72) (f64.div (local.get 0) (local.get 1)))))
      (i32.const 64))

    (func (export "greet") (param $name i32) (param $length i32) (result i32)
      (local $text i32)
      (local.set $text
        (call $realloc (i32.const 0) (i32.const 0) (i32.const 1) (i32.add (local.get $length) (i32.const 8))))
      (memory.copy (local.get $text) (i32.const 32) (i32.const 7))
      (memory.copy (i32.add (local.get $text) (i32.const 7)) (local.get $name) (local.get $length))
      (i32.store8 (i32.add (i32.add (local.get $text) (i32.const 7)) (local.get $length)) (i32.const 33))
      (i32.store (i32.const 96) (local.get $text))
      (i32.store (i32.const 100) (i32.add (local.get $length) (i32.const 8)))
      (i32.const 96)))

  (core instance $i (instantiate $m))
  (alias core export $i "memory" (core memory $memory))
  (alias core export $i "realloc" (core func $realloc))

  (func (export "add") (param "a" s32) (param "b" s32) (result s32)
    (canon lift (core func $i "add")))
  (func (export "divide") (param "a" f64) (param "b" f64) (result (result f64 (error string)))
    (canon lift (core func $i "divide") (memory $memory)))
  (func (export "greet") (param "name" string) (result string)
    (canon lift (core func $i "greet") (memory $memory) (realloc $realloc)))

  (@custom "package-docs" "\01{\"docs\":\"A small calculator that is polite\",\"worlds\":{\"calculator\":{\"func_exports\":{\"add\":{\"docs\":\"Adds two integers; wraps around at 32 bits\"},\"divide\":{\"docs\":\"Divides a by b\\n\\n- a: the dividend\\n- b: the divisor, not zero\"},\"greet\":{\"docs\":\"Says hello to somebody\"}}}}}")
)
